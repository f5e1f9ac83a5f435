import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: './data/events/schema.ts',
  out: './migrations/events',
  casing: 'snake_case',
});
