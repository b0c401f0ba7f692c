"""What recipelint reads of trainers, held against the parsers that the same trainers really build."""
