extension String {
  /// The keys of a key path.
  ///
  /// It is split at the bytes of its dots: a dot and a combining mark behind it are one Character, which is not a dot.
  package var keysOfPath: [String] {
    utf8.split(separator: UInt8(ascii: ".")).map { String(Substring($0)) }
  }
}
