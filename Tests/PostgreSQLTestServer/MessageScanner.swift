/// Finds the ends of the messages of one side of a connection. The bytes may come in pieces of any size.
public struct MessageScanner {
  public enum Side: Sendable { case client, server }

  /// The kind of a message: its letter, or a name for a message without a letter, which comes before the session.
  public typealias Kind = String

  private let side: Side
  /// Whether the next message of the client is one without a letter.
  private var isStarting: Bool
  private var header: [UInt8] = []
  /// The number of bytes of the message after its header that have not come yet.
  private var rest = 0
  private var kind = ""
  /// Whether the next byte is the answer to a request for encryption, which is a single byte.
  private var awaitsAnswer = false

  public init(_ side: Side) {
    self.side = side
    isStarting = side == .client
  }

  /// Announces that the client has asked for encryption, so that the next byte of the server is the answer.
  public mutating func expectAnswer() { awaitsAnswer = true }

  /// Reads up to the end of the current message, or to the end of the bytes.
  /// - Returns: the index after the bytes that were read, and the kind of the message that ends there; nil if none ends there.
  public mutating func next(in bytes: [UInt8], from start: Int) -> (end: Int, message: Kind?) {
    var index = start
    while index < bytes.count {
      if awaitsAnswer {
        awaitsAnswer = false
        return (index + 1, "answer")
      }
      if rest > 0 {
        let count = min(rest, bytes.count - index)
        index += count
        rest -= count
        if rest == 0 { return (index, kind) }
        continue
      }
      header.append(bytes[index])
      index += 1
      // A header is a length and a code, or a letter and a length. The length includes its own four bytes.
      guard header.count == (isStarting ? 8 : 5) else { continue }
      let numbers = isStarting ? header : Array(header[1...])
      let length = numbers.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      kind = isStarting ? begin(code: numbers.dropFirst(4).reduce(0) { $0 << 8 | Int($1) }) : letter
      rest = max(0, length - numbers.count)
      header.removeAll(keepingCapacity: true)
      if rest == 0 { return (index, kind) }
    }
    return (index, nil)
  }

  private var letter: Kind { Kind(UnicodeScalar(header[0])) }

  /// Returns the kind of a message without a letter.
  private mutating func begin(code: Int) -> Kind {
    switch code {
    case 80_877_102: return "cancel"
    case 80_877_103: return "ssl"
    case 80_877_104: return "gss"
    default:
      isStarting = false
      return "startup"
    }
  }
}
