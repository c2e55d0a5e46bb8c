-- How the result of a contract is decided, as it is published: text, source, address of the source, and the expected time of the
-- result. The wording of each venue, word for word, stays in listings.wording.
alter table contracts add rules jsonb;
