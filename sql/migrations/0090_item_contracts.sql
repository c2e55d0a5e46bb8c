-- An item of an order also says whether its money is final, which contract it is about and under which id its operator placed it; that
-- of a settlement names its contract. In the short form of an order that is filled as it is recorded (migration 0074) the contract is
-- the word after executionRef, and the client's id, which may have blanks, follows a tab at the end. Such an order is resolved. The
-- short form of a settlement (0079) has the contract as its last word.
create or replace function short_item_money(p_detail text) returns json language sql stable parallel safe as $$
  select case when split_part(p_detail, ' ', 4) = 'buy' then concat('{"currency":"USD","authorizationAmount":"', split_part(p_detail, ' ', 7),
    '","actualDebit":"', split_part(p_detail, ' ', 8), '","releaseAmount":"', split_part(p_detail, ' ', 9),
    '","tradeAmount":"', split_part(p_detail, ' ', 10), '","platformFee":"', split_part(p_detail, ' ', 11),
    '","venueFee":"0.00","venueFeeKnown":true}')::json end
$$;

create or replace function short_item_detail(p_detail text) returns json language sql stable parallel safe as $$
  select concat('{"fromState":null,"toState":"', split_part(p_detail, ' ', 2), '","reason":null,"side":"', split_part(p_detail, ' ', 3),
    '","action":"', split_part(p_detail, ' ', 4), '","orderStatus":"', split_part(p_detail, ' ', 2), '","simulated":true,"executionRef":"',
    split_part(p_detail, ' ', 5), '","settlementState":"settled","transmissionState":"resolved","clientOrderId":"',
    left(substr(p_detail, strpos(p_detail, '\t') + 2), -2), '","contractId":"', split_part(p_detail, ' ', 6), '"}')::json
$$;

create or replace function short_settlement_detail(p_detail text) returns json language sql stable parallel safe as $$
  select concat('{"resolution" : "', split_part(p_detail, ' ', 2), '", "side" : "', split_part(p_detail, ' ', 3), '", "contracts" : ',
    split_part(p_detail, ' ', 4), ', "realisedPnl" : "', split_part(p_detail, ' ', 5), '", "lifetimeRealisedPnl" : "',
    split_part(p_detail, ' ', 6), '", "outcome" : "', split_part(p_detail, ' ', 7), '", "contractId" : "', split_part(p_detail, ' ', 10),
    '"}')::json
$$;
