/**
 * The forms of a path under which its signature holds (docs/design/identity.md#signatures). Before the Worker sees a path it has been rewritten as the URL standard says (https://url.spec.whatwg.org),
 * so that what the client sent is not known for sure. The first form is the rewritten one. The others say again what the standard rewrites, and are rewritten
 * to this path alone: none of them can be taken for the signature of another request.
 *
 * @param path with its query, as the runtime hands it over: percent-encoded, without dot segments
 */
export function pathsAsSigned(path: string): string[] {
  const [before, query] = splitAtQuery(path);
  const forms = [
    path,
    // Newer versions of the standard encode it in a path.
    before.replaceAll('^', '%5E') + query,
    // RFC 3986 allows it, and `encodeURIComponent` leaves it.
    before + query.replaceAll('%27', "'"),
    unescaped(before, REWRITTEN_IN_PATH) + unescaped(query, REWRITTEN_IN_QUERY),
  ];
  const withLoneMark = query === '' ? forms.map((form) => `${form}?`) : [];
  return [...new Set([...forms, ...withLoneMark])];
}

/** ASCII that the standard percent-encodes, but a space at the end, which it removes; and bytes beyond ASCII. */
const REWRITTEN_IN_PATH = /%(?:20(?=.)|22|3C|3E|5E|60|7B|7D)|(?:%[89A-F][0-9A-F])+/g;
const REWRITTEN_IN_QUERY = /%(?:20(?=.)|22|27|3C|3E)|(?:%[89A-F][0-9A-F])+/g;

function splitAtQuery(path: string): [before: string, query: string] {
  const mark = path.indexOf('?');
  return mark < 0 ? [path, ''] : [path.slice(0, mark), path.slice(mark)];
}

function unescaped(text: string, rewritten: RegExp): string {
  return text.replaceAll(rewritten, (escaped) => {
    try {
      return decodeURIComponent(escaped);
    } catch {
      return escaped; // No UTF-8: the client sent it escaped.
    }
  });
}
