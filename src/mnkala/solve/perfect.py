"""The perfect player. (Registered here; being built.)"""
