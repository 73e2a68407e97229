"""Settings for all tests."""

from hypothesis import settings

settings.register_profile("mnkala", deadline=None, max_examples=50)
settings.load_profile("mnkala")
