import Foundation
import OpenCocoaFoundation

// Sendable unchecked: immutable.
/// A place in the history of one or several stores. A reader that keeps a token asks for the transactions after it.
///
/// Tokens can be archived and compared; they stay good when the history before them is deleted.
public final class NSPersistentHistoryToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// The places by the stores' UUIDs.
  package let places: [String: HistoryPlace]

  private static let archiveKey = "OCDTransactions"

  package init(_ places: [String: HistoryPlace]) {
    self.places = places
    super.init()
  }

  package convenience init(_ transactions: [String: Int64]) { self.init(transactions.mapValues(HistoryPlace.number)) }

  /// The number of the latest transaction, by the store's UUID.
  package var transactions: [String: Int64] { places.mapValues(\.latestTransaction) }

  /// True: tokens are archived securely.
  public static var supportsSecureCoding: Bool { true }

  /// Decodes a token that `encode(with:)` archived; nil for anything else.
  ///
  /// Differs from Apple (D-HIS-04): tokens of Apple's frameworks are not read.
  public required init?(coder: NSCoder) {
    // The archive is one property list: an unarchiver would follow a dictionary's references wherever they lead.
    guard let data = coder.decodeObject(of: NSData.self, forKey: Self.archiveKey) as Data?,
      let list = try? PropertyListReader.dictionary(data),
      case let places = list.compactMapValues(HistoryPlace.init(archived:)),
      places.count == list.count
    else { return nil }
    self.places = places
    super.init()
  }

  /// Archives the token.
  public func encode(with coder: NSCoder) {
    let list = places.mapValues(\.archived)
    guard let data = try? PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0) else {
      raise(.internalInconsistency, "Strings and numbers did not make a property list.")
    }
    coder.encode(data as NSData, forKey: Self.archiveKey)
  }

  /// The token itself, since it never changes.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? NSPersistentHistoryToken)?.places == places
  }

  public override var hash: Int { places.hashValue }

  public override var description: String {
    let list = places.sorted { $0.key < $1.key }.map { "\"\($0.key)\" = \($0.value);" }
    return "<NSPersistentHistoryToken - { \(list.joined(separator: " ")) }>"
  }
}
