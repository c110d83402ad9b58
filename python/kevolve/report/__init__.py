"""Reports: they read the store and nothing else."""
