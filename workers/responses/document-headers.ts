/** Headers of an answer that is a person's document: it is saved and not shown, and nobody on its way keeps it. */
export function documentHeaders(type: string, id: string): Record<string, string> {
  const extension = type === 'application/pdf' ? 'pdf' : type === 'image/png' ? 'png' : 'jpg';
  return {
    'content-type': type,
    'content-disposition': `attachment; filename="${id}.${extension}"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  };
}
