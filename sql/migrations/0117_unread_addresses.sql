-- A key may be used by a client whose address cannot be read: a proxy in front reports `unknown`,
-- or something else that is no address. The use is kept all the same, with no address.
alter table api_key_uses alter column address drop not null;
