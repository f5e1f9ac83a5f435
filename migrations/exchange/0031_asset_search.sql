-- Words of symbol and name, of every asset: case and accents folded, kept by triggers. Read by data/catalog/listed-assets.ts.
CREATE VIRTUAL TABLE asset_search USING fts5(
  asset_id UNINDEXED, symbol, name, tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3');
--> statement-breakpoint
CREATE TRIGGER assets_enter_search AFTER INSERT ON assets BEGIN
  INSERT INTO asset_search (asset_id, symbol, name) VALUES (new.id, new.symbol, new.name);
END;
--> statement-breakpoint
CREATE TRIGGER assets_change_search AFTER UPDATE OF id, symbol, name ON assets
WHEN old.id <> new.id OR old.symbol <> new.symbol OR old.name <> new.name BEGIN
  UPDATE asset_search SET asset_id = new.id, symbol = new.symbol, name = new.name WHERE asset_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER assets_leave_search AFTER DELETE ON assets BEGIN
  DELETE FROM asset_search WHERE asset_id = old.id;
END;
--> statement-breakpoint
INSERT INTO asset_search (asset_id, symbol, name) SELECT id, symbol, name FROM assets;
