"""The machines that launchers run on: two that differ in all that a recipe may not rely on.

A word that is equal on both is decided by the launcher's text; one that differs is the machine's, and no reading
of the text can know it.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine, and the Slurm allocation on it. `checkout` is where it keeps the tree, below the sandbox."""

    host: str
    user: str
    job: int
    nodes: int
    gpus: int
    cores: int
    address: str
    date: str
    checkout: str

    @property
    def hosts(self) -> list[str]:
        """The names of the allocated nodes."""
        return [f"{self.host}{number}" for number in range(self.nodes)]

    def fill(self, text: str) -> str:
        """TEXT with `{job}`, `{user}`, … replaced; a way to give a launcher what differs between machines."""
        return text.format_map(asdict(self))

    def environment(self) -> dict[str, str]:
        """What this machine sets for a job, besides the paths that the sandbox chooses."""
        listed = f"{self.host}[0-{self.nodes - 1}]"
        return {
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "USER": self.user,
            "LOGNAME": self.user,
            "HOSTNAME": self.hosts[0],
            "SLURM_JOB_ID": str(self.job),
            "SLURM_JOBID": str(self.job),
            "SLURM_JOB_NAME": f"job-of-{self.user}",
            "SLURM_JOB_ACCOUNT": self.user,
            "SLURM_JOB_PARTITION": f"{self.host}-queue",
            "SLURM_JOB_NODELIST": listed,
            "SLURM_NODELIST": listed,
            "SLURM_JOB_NUM_NODES": str(self.nodes),
            "SLURM_NNODES": str(self.nodes),
            "SLURM_NTASKS": str(self.nodes),
            "SLURM_GPUS_ON_NODE": str(self.gpus),
            "SLURM_CPUS_PER_TASK": str(self.cores),
            "SLURM_NODEID": "0",
            "SLURM_PROCID": "0",
            "SLURM_LOCALID": "0",
        }


MACHINES = (
    Machine("alder", "ines", 51001, 2, 8, 96, "10.1.0.4", "20240229_070000", "srv/ines/checkout"),
    Machine("birch", "omar", 620, 3, 4, 48, "172.20.9.8", "20251111_234501", "scratch/birch/work"),
)
