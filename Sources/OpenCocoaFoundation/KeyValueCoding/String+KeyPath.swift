extension String {
  /// The keys of a key path.
  ///
  /// The path is split at the bytes of its dots, because a dot with a combining mark after it is a single Character that does
  /// not equal a dot.
  package var keysOfPath: [String] {
    utf8.split(separator: UInt8(ascii: ".")).map { String(Substring($0)) }
  }
}
