import HTTPTypes

/// The names of header fields that HTTPTypes does not define.
///
/// The initialiser returns nil only for names with characters that a field name cannot have; these names have none.
extension HTTPField.Name {
  static let secFetchSite = Self("Sec-Fetch-Site")!
  static let secFetchMode = Self("Sec-Fetch-Mode")!
  static let referrerPolicy = Self("Referrer-Policy")!
  static let crossOriginOpenerPolicy = Self("Cross-Origin-Opener-Policy")!
  static let crossOriginResourcePolicy = Self("Cross-Origin-Resource-Policy")!
}
