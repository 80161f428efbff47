"""What the engines found, as questions to an author: findings, ranking, baseline, reports, command line."""
