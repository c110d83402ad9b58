"""Correct, then fast, then why: candidates run in a process that may die."""
