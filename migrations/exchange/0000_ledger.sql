CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`owner` text NOT NULL,
	`user_id` text,
	`boundary` integer DEFAULT false NOT NULL,
	`kyc_status` text DEFAULT 'pending' NOT NULL,
	`accreditation_status` text DEFAULT 'none' NOT NULL,
	`accreditation_type` text,
	`us_person` integer DEFAULT true NOT NULL,
	`annual_income` integer DEFAULT 0 NOT NULL,
	`net_worth` integer DEFAULT 0 NOT NULL,
	`frozen` integer DEFAULT false NOT NULL,
	`facts_version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `accounts_user` ON `accounts` (`user_id`);--> statement-breakpoint
CREATE TABLE `amendments` (
	`id` text PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL,
	`account` text NOT NULL,
	`book` text NOT NULL,
	`admit_batch` integer NOT NULL,
	`open` integer NOT NULL,
	`reserve_asset` text NOT NULL,
	`reserve` integer NOT NULL,
	`allowance_asset` text,
	`allowance` integer DEFAULT 0 NOT NULL,
	`position_asset` text,
	`position` integer DEFAULT 0 NOT NULL,
	`facts_version` integer NOT NULL,
	`rules_version` integer NOT NULL,
	`created_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `amendments_admission` ON `amendments` (`book`,`admit_batch`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`account` text NOT NULL,
	`user_id` text NOT NULL,
	`owner` text NOT NULL,
	`name` text NOT NULL,
	`secret_ciphertext` text NOT NULL,
	`scopes` text NOT NULL,
	`ip_allowlist` text,
	`rate_limits` text,
	`position_limits` text,
	`daily_loss_max` integer,
	`status` text DEFAULT 'active' NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "api_keys_status" CHECK("api_keys"."status" in ('active', 'revoked'))
);
--> statement-breakpoint
CREATE INDEX `api_keys_account` ON `api_keys` (`account`);--> statement-breakpoint
CREATE TABLE `assets` (
	`id` text PRIMARY KEY NOT NULL,
	`symbol` text NOT NULL,
	`name` text NOT NULL,
	`category` text NOT NULL,
	`rail` text,
	`exchange` text,
	`status` text DEFAULT 'APPROVED' NOT NULL,
	`scale` integer NOT NULL,
	`tradeable` integer DEFAULT true NOT NULL,
	`execution_route` text,
	`accreditation_type` text,
	`regulation` text,
	`offering_type` text,
	`tracks_lots` integer DEFAULT false NOT NULL,
	`issuer_name` text,
	`description` text,
	`image` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `assets_symbol_unique` ON `assets` (`symbol`);--> statement-breakpoint
CREATE INDEX `assets_category` ON `assets` (`category`);--> statement-breakpoint
CREATE TABLE `balances` (
	`account` text NOT NULL,
	`asset` text NOT NULL,
	`available` integer DEFAULT 0 NOT NULL,
	`held` integer DEFAULT 0 NOT NULL,
	`boundary` integer DEFAULT 0 NOT NULL,
	`cost` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`account`, `asset`),
	CONSTRAINT "balances_not_negative" CHECK("balances"."boundary" = 1 or ("balances"."available" >= 0 and "balances"."held" >= 0))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `bars` (
	`book` text NOT NULL,
	`interval` text NOT NULL,
	`bucket` integer NOT NULL,
	`open` integer NOT NULL,
	`high` integer NOT NULL,
	`low` integer NOT NULL,
	`close` integer NOT NULL,
	`volume` integer NOT NULL,
	`quote_volume` integer NOT NULL,
	`trades` integer NOT NULL,
	PRIMARY KEY(`book`, `interval`, `bucket`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `books` (
	`book` text PRIMARY KEY NOT NULL,
	`owner` text NOT NULL,
	`batch` integer NOT NULL,
	`settled` integer NOT NULL,
	CONSTRAINT "books_fence" CHECK("books"."batch" >= 0)
);
--> statement-breakpoint
CREATE TABLE `dev_outbox` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`phone` text NOT NULL,
	`text` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `domain_events` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`subject` text NOT NULL,
	`payload` text NOT NULL,
	`created_at` integer NOT NULL,
	`dispatched_at` integer
);
--> statement-breakpoint
CREATE INDEX `domain_events_waiting` ON `domain_events` (`id`) WHERE "domain_events"."dispatched_at" is null;--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`scope` text NOT NULL,
	`key` text NOT NULL,
	`request_hash` text NOT NULL,
	`resource_id` text NOT NULL,
	`response_status` integer,
	`response_body` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`scope`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_created` ON `idempotency_keys` (`created_at`);--> statement-breakpoint
CREATE TABLE `ledger_transactions` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`created_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `lot_reservations` (
	`order_id` text NOT NULL,
	`lot_id` text NOT NULL,
	`quantity` integer NOT NULL,
	PRIMARY KEY(`order_id`, `lot_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `lots` (
	`id` text PRIMARY KEY NOT NULL,
	`account` text NOT NULL,
	`asset` text NOT NULL,
	`quantity` integer NOT NULL,
	`reserved` integer DEFAULT 0 NOT NULL,
	`cost` integer NOT NULL,
	`acquired_at` integer NOT NULL,
	`restriction_ends_at` integer,
	`offering_type` text,
	CONSTRAINT "lots_reserved" CHECK("lots"."reserved" >= 0 and "lots"."reserved" <= "lots"."quantity")
);
--> statement-breakpoint
CREATE INDEX `lots_fifo` ON `lots` (`account`,`asset`,`acquired_at`,`id`);--> statement-breakpoint
CREATE TABLE `markets` (
	`symbol` text PRIMARY KEY NOT NULL,
	`base_asset` text NOT NULL,
	`quote_asset` text NOT NULL,
	`price_scale` integer NOT NULL,
	`tick_size` integer NOT NULL,
	`lot_size` integer NOT NULL,
	`quantity_min` integer NOT NULL,
	`quantity_max` integer NOT NULL,
	`maker_fee_bps` integer DEFAULT 0 NOT NULL,
	`taker_fee_bps` integer DEFAULT 0 NOT NULL,
	`band_bps` integer DEFAULT 0 NOT NULL,
	`reference_price` integer,
	`status` text DEFAULT 'open' NOT NULL,
	`rules_version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`base_asset`) REFERENCES `assets`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`quote_asset`) REFERENCES `assets`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `oauth_clients` (
	`id` text PRIMARY KEY NOT NULL,
	`owner` text NOT NULL,
	`name` text NOT NULL,
	`secret_hash` text,
	`grants` text NOT NULL,
	`user_id` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `one_time_codes` (
	`phone` text PRIMARY KEY NOT NULL,
	`code_hash` text NOT NULL,
	`expires_at` integer NOT NULL,
	`tries_left` integer NOT NULL,
	`sent_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `orders` (
	`id` text PRIMARY KEY NOT NULL,
	`account` text NOT NULL,
	`owner` text NOT NULL,
	`key_id` text,
	`book` text,
	`asset_id` text NOT NULL,
	`admit_batch` integer DEFAULT 0 NOT NULL,
	`open` integer NOT NULL,
	`status` text NOT NULL,
	`side` text NOT NULL,
	`type` text NOT NULL,
	`time_in_force` text NOT NULL,
	`quantity` integer NOT NULL,
	`price` integer,
	`stop_price` integer,
	`expires_at` integer,
	`client_order_id` text,
	`filled` integer DEFAULT 0 NOT NULL,
	`filled_notional` integer DEFAULT 0 NOT NULL,
	`fee` integer DEFAULT 0 NOT NULL,
	`reserve_asset` text NOT NULL,
	`reserve` integer NOT NULL,
	`allowance_asset` text,
	`allowance` integer DEFAULT 0 NOT NULL,
	`position_asset` text,
	`position` integer DEFAULT 0 NOT NULL,
	`restricted` integer DEFAULT 0 NOT NULL,
	`pre_ipo` integer DEFAULT 0 NOT NULL,
	`code` text,
	`facts_version` integer DEFAULT 0 NOT NULL,
	`rules_version` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`executed_at` integer,
	`cancelled_at` integer,
	CONSTRAINT "orders_reserve" CHECK("orders"."reserve" >= 0 and "orders"."allowance" >= 0 and "orders"."position" >= 0),
	CONSTRAINT "orders_final_holds_nothing" CHECK("orders"."open" = 1 or ("orders"."reserve" = 0 and "orders"."allowance" = 0 and "orders"."position" = 0))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `orders_account` ON `orders` (`account`,`open`,`id`);--> statement-breakpoint
CREATE INDEX `orders_admission` ON `orders` (`book`,`admit_batch`);--> statement-breakpoint
CREATE UNIQUE INDEX `orders_client_order_id` ON `orders` (`account`,`client_order_id`) WHERE "orders"."client_order_id" is not null;--> statement-breakpoint
CREATE TABLE `organizations` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`shard` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `postings` (
	`transaction` text NOT NULL,
	`line` integer NOT NULL,
	`account` text NOT NULL,
	`asset` text NOT NULL,
	`amount` integer NOT NULL,
	PRIMARY KEY(`transaction`, `line`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `refresh_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`family` text NOT NULL,
	`user_id` text NOT NULL,
	`client_id` text NOT NULL,
	`scope` text NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	`revoked_at` integer
);
--> statement-breakpoint
CREATE INDEX `refresh_tokens_family` ON `refresh_tokens` (`family`);--> statement-breakpoint
CREATE INDEX `refresh_tokens_user` ON `refresh_tokens` (`user_id`);--> statement-breakpoint
CREATE TABLE `revoked_tokens` (
	`jti` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `settlements` (
	`trade_id` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`settles_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `signing_keys` (
	`kid` text PRIMARY KEY NOT NULL,
	`public_jwk` text NOT NULL,
	`private_jwk_ciphertext` text NOT NULL,
	`created_at` integer NOT NULL,
	`retired_at` integer
);
--> statement-breakpoint
CREATE TABLE `trades` (
	`id` text PRIMARY KEY NOT NULL,
	`book` text NOT NULL,
	`sequence` integer NOT NULL,
	`asset_id` text NOT NULL,
	`quote_asset` text NOT NULL,
	`price` integer NOT NULL,
	`quantity` integer NOT NULL,
	`notional` integer NOT NULL,
	`taker_side` text NOT NULL,
	`buy_order` text NOT NULL,
	`sell_order` text NOT NULL,
	`buyer` text NOT NULL,
	`seller` text NOT NULL,
	`buyer_fee` integer NOT NULL,
	`seller_fee` integer NOT NULL,
	`executed_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `trades_book` ON `trades` (`book`,`sequence`);--> statement-breakpoint
CREATE INDEX `trades_buyer` ON `trades` (`buyer`,`id`);--> statement-breakpoint
CREATE INDEX `trades_seller` ON `trades` (`seller`,`id`);--> statement-breakpoint
CREATE TABLE `transfers` (
	`id` text PRIMARY KEY NOT NULL,
	`account` text NOT NULL,
	`type` text NOT NULL,
	`asset` text NOT NULL,
	`amount` integer NOT NULL,
	`status` text NOT NULL,
	`reference` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `transfers_account` ON `transfers` (`account`,`id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`owner` text NOT NULL,
	`phone` text,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`roles` text DEFAULT '[]' NOT NULL,
	`tokens_valid_after` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`owner`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_phone_unique` ON `users` (`phone`);--> statement-breakpoint
CREATE INDEX `users_owner` ON `users` (`owner`);--> statement-breakpoint
CREATE TABLE `venue` (
	`id` integer PRIMARY KEY NOT NULL,
	`halted` integer DEFAULT false NOT NULL
);
