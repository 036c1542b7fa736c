/// An option of a test program that users can choose.
struct TestOption: Sendable {
  enum Kind: Sendable {
    /// A number in a range; without a default it may be left out.
    case number(ClosedRange<Int>, byDefault: Int?)
    /// Some of the listed values; if none is chosen, all are used.
    case choices([(value: String, title: String)])
    /// A word.
    case word(byDefault: String)
  }

  /// The name of the program's option, without the hyphens.
  let name: String
  let title: String
  var help = ""
  let kind: Kind
}
