"""Steps of a workflow, written on a draft."""
