"""What comments say: the sentences of a launcher's comments, and the claims that a few known phrases make."""
