"""Permissions: PIN, CSRF token, seats, errors as answers.

Belongs here: what guards a request. Does not: what the request does.
"""
