-- Embed sessions: the one write that needs a function. src/embed/sessions.ts has the other
-- statements.

-- Opens an embed session (POST embed-sessions): creates the customer on first use, records the
-- jurisdiction that the request names, and writes the session, in one statement. The jurisdiction
-- belongs to the customer and outlives the session. Returns when the session expires.
create or replace function mint_embed_session(
  p_operator_id text, p_session_id text, p_secret_hash bytea, p_external_user_id text,
  p_ttl_seconds integer, p_origin text, p_locale text,
  p_region text, p_country text, p_subdivision text, p_theme jsonb, p_operator_book_id text,
  p_minted_by text
) returns timestamptz language plpgsql as $$
declare
  v_minted_at timestamptz;
begin
  if p_country is null then
    perform ensure_customer(p_operator_id, p_external_user_id);
  else
    perform assert_jurisdiction(p_operator_id, p_external_user_id, p_country, p_subdivision,
      'embed_session', p_minted_by);
  end if;
  v_minted_at := clock_timestamp();
  insert into embed_sessions (operator_id, session_id, secret_hash, external_user_id, origin,
    locale, region, country, subdivision, theme,
    operator_book_id, minted_by, created_at, expires_at)
  values (p_operator_id, p_session_id, p_secret_hash, p_external_user_id, p_origin, p_locale,
    p_region, p_country, p_subdivision, p_theme,
    p_operator_book_id, p_minted_by, v_minted_at,
      v_minted_at + make_interval(secs => p_ttl_seconds));
  return v_minted_at + make_interval(secs => p_ttl_seconds);
end $$;
