-- `admission` holds the rows of orders and amendments that a batch asked to admit, no longer their ids alone. What is recorded may be of
-- either kind: recovery looks each id up where it is.
UPDATE books SET admission = (
  SELECT json_object('orders', json_group_array(json_array(value)), 'amendments', json_group_array(json_array(value)))
  FROM json_each(books.admission));
