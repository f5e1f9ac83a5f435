export { FeedConnection, type FeedSeams, type FeedState, type Socket, type Topic } from './feeds/feed-connection.ts';
export { LocalBook } from './feeds/local-book.ts';
