-- A look-up and a row lock of the operator for each settlement. The statement that writes settlements has read the operator and holds
-- its counter, as those that write orders and positions, which have no such reference either (docs/decisions.md).
alter table settlements drop constraint settlements_operator_id_fkey;
