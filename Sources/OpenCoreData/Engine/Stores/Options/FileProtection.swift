import Foundation

/// The option that asks for encrypted files.
///
/// Differs from Apple (D-STO-01): a store accepts the option and ignores it; the file system decides which files are
/// protected.
public let NSPersistentStoreFileProtectionKey = "NSPersistentStoreFileProtectionKey"

/// Lets `FileProtectionType.complete as NSObject` compile, which is how options are written.
extension FileProtectionType: @retroactive _ObjectiveCBridgeable {
  /// The raw value.
  public func _bridgeToObjectiveC() -> NSString { NSString(string: rawValue) }

  /// Returns the type of a raw value.
  public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout FileProtectionType?) {
    result = FileProtectionType(rawValue: String(source))
  }

  /// Returns the type of a raw value; every raw value has a type.
  public static func _conditionallyBridgeFromObjectiveC(
    _ source: NSString, result: inout FileProtectionType?
  ) -> Bool {
    _forceBridgeFromObjectiveC(source, result: &result)
    return true
  }

  /// Returns the type of a raw value; an empty one for nil.
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> FileProtectionType {
    FileProtectionType(rawValue: source.map(String.init(_:)) ?? "")
  }
}
