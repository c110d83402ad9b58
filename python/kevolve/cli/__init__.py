"""The command line. Environment variables are read here and nowhere below."""
