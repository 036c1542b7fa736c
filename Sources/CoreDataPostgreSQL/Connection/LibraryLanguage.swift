#if PostgreSQL
  import Foundation

  /// The language of libpq's messages.
  enum LibraryLanguage {
    /// The locale of C. It is never freed, so that any thread may use it. nil if there was no memory for it.
    private static let locale = UInt(bitPattern: newlocale(LC_MESSAGES_MASK, "C", nil))

    /// Has libpq write the messages that `body` causes in English, since `ServerConnection` finds out by their words what has
    /// failed.
    ///
    /// A program that calls `setlocale` would get them in its language, or in that of LANGUAGE. The locale is changed for the
    /// calling thread alone, and `body` must call libpq and nothing of a client's.
    static func english<Result>(_ body: () throws -> Result) rethrows -> Result {
      // With nil this changes nothing.
      let previous = uselocale(locale_t(bitPattern: locale))
      defer { uselocale(previous) }
      return try body()
    }
  }
#endif
