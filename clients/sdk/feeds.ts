export { FeedConnection, type FeedSeams, type FeedState, type Socket, type Topic } from './feeds/feed-connection.ts';
export { FollowedBook } from './feeds/followed-book.ts';
export type { Freshness } from './feeds/freshness.ts';
export { LocalBook } from './feeds/local-book.ts';
export { OwnAccount } from './feeds/own-account.ts';
export { bookFeed } from './feeds/platform-feed.ts';
