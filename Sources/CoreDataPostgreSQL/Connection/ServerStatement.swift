#if PostgreSQL
  /// A statement's text, with `$1` and so on for its variables, and the types of these.
  ///
  /// A connection prepares it when it runs it for the first time, under a name that text and types make: the same statement
  /// has the same name on every connection, however many of these objects there are.
  final class ServerStatement: Sendable {
    let text: String
    /// The OIDs of the variables' types. All are declared: the server would make a `real` of a double whose type it guesses.
    let types: [UInt32]
    /// What it is prepared under; empty if it is not.
    let name: StatementName
    /// False for what begins and ends transactions and for what a store does beside its contexts' work, which counts leave
    /// out.
    let isWork: Bool

    /// Whether rows are read.
    let isSelect: Bool

    /// - Parameter isPrepared: false for what runs once, so that it takes no room on the server.
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
        // No text has the byte that stands before each.
        hash = (hash ^ 0xff) &* prime
        hash = (hash ^ UInt128(type)) &* prime
      }
      let digits = String(hash, radix: 16)
      return String(repeating: "0", count: 32 - digits.count) + digits
    }
  }

  /// What a statement is prepared under, with a hash of its own: every statement of every flight is looked up by it.
  struct StatementName: Hashable, Sendable, CustomStringConvertible {
    let text: String
    /// As libpq takes it, made once.
    let characters: ContiguousArray<CChar>
    private let hash: Int

    /// Of what is not prepared.
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
