import { createTheme } from '@mantine/core';

/** What Mantine must know; its colours are our tokens (styles/mantine.css), since it may not write style tags here. */
export const theme = createTheme({ respectReducedMotion: true, cursorType: 'pointer' });
