"""From readings to rulings: observation, event, record, ruling; evidence, replay, and the session that runs it all."""
