"""The programs that a launcher finds in place of torchrun, srun, ray, docker and the rest."""
