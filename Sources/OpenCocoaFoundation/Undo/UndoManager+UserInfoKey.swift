import Foundation

extension UndoManager {
  /// The key of a value that goes with an undo or redo action.
  public struct UserInfoKey: RawRepresentable, Hashable, Sendable {
    /// The text of the key.
    public var rawValue: String

    /// Makes a key of its text.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Makes a key of its text.
    public init(_ rawValue: String) {
      self.rawValue = rawValue
    }
  }
}
