-- venue_cash takes a second argument: whether the venue keeps contracts of both sides apart. The function of one argument would
-- stay beside it.
drop function if exists venue_cash(text);
