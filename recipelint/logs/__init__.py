"""Training logs: how a run failed, what the message means, and which recipe leads there.

A log is data of strangers: it is read once, in constant memory, and what it does not say is not guessed.
"""
