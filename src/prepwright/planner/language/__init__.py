"""The language of requests: words, grammar, and what the words may mean in the tables."""
