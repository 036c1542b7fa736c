/// The sections of RESULTS.md: one for each processor, the newest first, and those written by hand.
struct ResultsDocument {
  static let largeTitle = "### 1,000,000 photos"
  private static let machineTitle = "## Measured on "

  /// Each begins with its title.
  private(set) var machines: [String] = []
  private var others: [String] = []

  /// Parses a text. The text before the first section is written anew each time.
  init(_ text: String) {
    var sections: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("## ") {
        sections.append(String(line))
      } else if !sections.isEmpty {
        sections[sections.count - 1] += "\n" + line
      }
    }
    for section in sections {
      if section.hasPrefix(Self.machineTitle) { machines.append(section) } else { others.append(section) }
    }
  }

  /// The part on the large data sets that a processor's section has.
  func large(of processor: String) -> String? {
    guard let section = machines.first(where: { Self.title(of: $0) == Self.machineTitle + processor }),
      let begin = section.range(of: Self.largeTitle)
    else { return nil }
    return String(section[begin.lowerBound...])
  }

  /// Puts a processor's section first, in place of the one that it had.
  mutating func put(_ section: String, of processor: String) {
    let title = Self.machineTitle + processor
    machines.removeAll { Self.title(of: $0) == title }
    machines.insert("\(title)\n\(section)", at: 0)
  }

  /// Inserts a section that belongs to no processor before those written by hand; it replaces the one with its title.
  mutating func put(_ section: String, titled title: String) {
    others.removeAll { Self.title(of: $0) == title }
    others.insert(section, at: 0)
  }

  /// The text again, behind a beginning.
  func text(_ beginning: String) -> String {
    let parts = [beginning] + machines + others
    return parts.map { $0.trimmed }.joined(separator: "\n\n") + "\n"
  }

  private static func title(of section: String) -> String {
    String(section.prefix { $0 != "\n" })
  }
}

extension String {
  fileprivate var trimmed: Substring {
    var rest = self[...]
    while rest.last?.isNewline == true { rest.removeLast() }
    return rest
  }
}
