#if PostgreSQL
  /// A statement's text, with `$1` and so on for its variables, and the types of the variables.
  ///
  /// A connection prepares the statement when it runs it for the first time, under a name that is a hash of text and
  /// types. So the same statement has the same name on every connection, however many of these objects there are.
  final class ServerStatement: Sendable {
    let text: String
    /// The OIDs of the variables' types. All types are declared: if the server has to guess the type, a double may
    /// become a `real`.
    let types: [UInt32]
    /// The name under which the statement is prepared; empty if it is not prepared.
    let name: StatementName
    /// False for statements that begin or end transactions, and for statements of the store that are not work of a
    /// context; the counts leave these out.
    let isWork: Bool

    /// Whether the statement reads rows.
    let isSelect: Bool

    /// - Parameter isPrepared: false for a statement that runs once, so that it takes no room on the server.
    init(_ text: String, types: [UInt32] = [], isPrepared: Bool = true, isWork: Bool = true) {
      self.text = text
      self.types = types
      self.isWork = isWork
      isSelect = text.hasPrefix("SELECT")
      name = isPrepared ? StatementName(Self.name(of: text, types: types)) : .none
    }

    /// FNV-1a of 128 bits in hexadecimal digits; it is the same in every process, unlike `Hasher`'s.
    private static func name(of text: String, types: [UInt32]) -> String {
      var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
      let prime: UInt128 = (1 << 88) + 0x13b
      for byte in text.utf8 { hash = (hash ^ UInt128(byte)) &* prime }
      for type in types {
        // The byte 0xff comes before each type, because no text contains it.
        hash = (hash ^ 0xff) &* prime
        hash = (hash ^ UInt128(type)) &* prime
      }
      let digits = String(hash, radix: 16)
      return String(repeating: "0", count: 32 - digits.count) + digits
    }
  }

  /// The name under which a statement is prepared. It stores its hash, because every statement of every flight is
  /// looked up by its name.
  struct StatementName: Hashable, Sendable, CustomStringConvertible {
    let text: String
    /// The name as libpq takes it, made once.
    let characters: ContiguousArray<CChar>
    private let hash: Int

    /// The name of statements that are not prepared.
    static let none = StatementName("")

    init(_ text: String) {
      self.text = text
      characters = text.utf8CString
      var hasher = Hasher()
      hasher.combine(text)
      hash = hasher.finalize()
    }

    var isEmpty: Bool { text.isEmpty }
    var description: String { text }

    static func == (one: StatementName, other: StatementName) -> Bool {
      one.hash == other.hash && one.text == other.text
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
  }
#endif
