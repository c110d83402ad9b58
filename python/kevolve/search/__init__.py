"""The search: which node to expand, with what memory, and when to stop."""
