"""The machine: layouts, frames of sensor readings, lights; simulated and real parts."""
