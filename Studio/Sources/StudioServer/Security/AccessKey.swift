import Foundation

/// The secret in the printed address. A request with the secret may use the studio; each start makes a new secret.
struct AccessKey: Sendable {
  /// 256 bits from the system's generator, in characters that a URL and a cookie can have.
  let text: String
  /// The secret in forms. It differs from the secret in the address, because pages contain it.
  let formToken: String

  init() {
    text = Self.random()
    formToken = Self.random()
  }

  private static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    return Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
      "=", with: "")
  }

  func matches(_ other: some StringProtocol) -> Bool { Self.isSame(text, other) }

  func matches(token: some StringProtocol) -> Bool { Self.isSame(formToken, token) }

  /// Compares all bytes even after a difference, so that the duration does not reveal how many of them are right.
  private static func isSame(_ own: String, _ other: some StringProtocol) -> Bool {
    let (own, given) = (Array(own.utf8), Array(other.utf8))
    guard own.count == given.count else { return false }
    return zip(own, given).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
