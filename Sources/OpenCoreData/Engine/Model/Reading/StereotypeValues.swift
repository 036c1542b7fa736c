import OpenCocoaFoundation

/// The named values of stereotypes, as texts.
struct StereotypeValues {
  let archive: KeyedArchive
  /// The objects that hold the values, by name.
  let holders: [String: ArchivedObject]

  func object(_ name: String) -> ArchivedObject? { holders[name]?.object("_default") }
  func objects(_ name: String) -> [ArchivedObject] { archive.objects(holders[name]?.fields["_default"]) }

  func text(_ name: String) -> String? {
    holders[name].flatMap { $0.string("_default") }.flatMap { $0.isEmpty ? nil : $0 }
  }

  func number(_ name: String) -> Int? {
    archive.resolve(holders[name]?.fields["_default"])?.integerValue.flatMap { Int(exactly: $0) }
  }

  func flag(_ name: String) -> String {
    let value = archive.resolve(holders[name]?.fields["_default"])
    return value?.boolValue == true || value?.integerValue == 1 || value?.stringValue == "YES" ? "YES" : "NO"
  }

  /// The entries of the user info that are texts. The modeller kept its settings for sync services there, which XML has
  /// apart.
  func userInfo(_ name: String) -> [XMLElementTree] {
    let entries = (holders[name]?.entries("_default") ?? []).filter { !$0.key.hasPrefix("com.apple.syncservices.") }
    return [
      XMLElementTree(
        "userInfo", [:],
        entries.compactMap { key, value in
          archive.string(value).map { XMLElementTree("entry", ["key": key, "value": $0]) }
        })
    ]
  }
}

extension KeyedArchive {
  /// The objects in a list.
  func objects(_ value: PropertyListValue?) -> [ArchivedObject] {
    (object(value?.uidValue)?.fields["NS.objects"]?.arrayValue ?? []).compactMap { object($0.uidValue) }
  }

  /// The texts in a list, and the names of objects in it.
  func texts(in list: ArchivedObject) -> [String] {
    (list.fields["NS.objects"]?.arrayValue ?? []).compactMap { string($0) ?? object($0.uidValue)?.string("_name") }
  }
}
