"""Other programs in the house: told what happens, by webhooks and over MQTT.

Belongs here: what a receiver is sent, how it is signed, when it is tried again. Does not: what a program may ask of us
(`web/api`), the tables in which tokens, receivers and what they were not told yet are kept (`store`).
"""
