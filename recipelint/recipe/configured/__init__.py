"""What a trainer reads as its configuration: files of YAML, the files that they build on, and the words on top."""
