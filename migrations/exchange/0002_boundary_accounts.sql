-- The organization that runs the exchange (domain/identity/venue.ts), and the accounts through which money, assets and allowances
-- enter and leave (domain/ledger/boundary-accounts.ts).
INSERT INTO organizations (id, name, created_at) VALUES ('venue', 'Venue', 0);
--> statement-breakpoint
INSERT INTO accounts (id, owner, boundary, created_at) VALUES
  ('boundary:deposits', 'venue', 1, 0),
  ('boundary:withdrawals', 'venue', 1, 0),
  ('boundary:fees', 'venue', 1, 0),
  ('boundary:limits', 'venue', 1, 0),
  ('boundary:broker-clearing', 'venue', 1, 0),
  ('boundary:prime-clearing', 'venue', 1, 0);
