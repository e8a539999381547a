"""Amazon EKS: a cluster, its nodes and its network; without pulumi-eks, whose resources no test would see."""
