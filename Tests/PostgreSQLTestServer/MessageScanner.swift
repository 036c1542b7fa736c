/// Finds where the messages of one side of a connection end, however the bytes come.
public struct MessageScanner {
  public enum Side: Sendable { case client, server }

  /// A message's kind: its letter, or a name for those that come before the session and have none.
  public typealias Kind = String

  private let side: Side
  /// Whether the client's next message is one of those without a letter.
  private var isStarting: Bool
  private var header: [UInt8] = []
  /// How many bytes of the message are still to come, after its header.
  private var rest = 0
  private var kind = ""
  /// The answer to a request for encryption is a byte alone.
  private var awaitsAnswer = false

  public init(_ side: Side) {
    self.side = side
    isStarting = side == .client
  }

  /// The client has asked for encryption: the server's next byte is the answer.
  public mutating func expectAnswer() { awaitsAnswer = true }

  /// Goes to the end of the message, or of the bytes.
  /// - Returns: the index behind what was looked at, and the kind of the message that ends there.
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
      // A length and a code, or a letter and a length; the length counts itself.
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

  /// What a message without a letter is for.
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
