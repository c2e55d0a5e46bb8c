-- Orders that another cell sent, before their operator moved here (docs/cells.md). Their money was that cell's account at the venue,
-- so the comparison of this cell's account leaves them out. Written by the owner, in the transaction that copies the orders.
create table transmissions_elsewhere (
  operator_id id not null,
  order_id id not null,
  -- the cell in whose account at the venue it was sent
  cell text not null,
  primary key (operator_id, order_id)
);
