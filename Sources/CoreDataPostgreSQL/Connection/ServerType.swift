#if PostgreSQL
  /// OIDs of the types of variables and columns; they are the same on every server.
  enum ServerType {
    static let bool: UInt32 = 16
    static let bytes: UInt32 = 17
    static let char: UInt32 = 18
    static let int64: UInt32 = 20
    static let int16: UInt32 = 21
    static let int32: UInt32 = 23
    static let text: UInt32 = 25
    static let float: UInt32 = 700
    static let double: UInt32 = 701
    static let numeric: UInt32 = 1700
    static let uuid: UInt32 = 2950

    /// Returns the OID of the array type for an element type of this list.
    static func array(of type: UInt32) -> UInt32 {
      switch type {
      case bool: 1000
      case bytes: 1001
      case char: 1002
      case int16: 1005
      case int32: 1007
      case text: 1009
      case int64: 1016
      case float: 1021
      case double: 1022
      case numeric: 1231
      case uuid: 2951
      default: preconditionFailure("no type of arrays is known for the type \(type)")
      }
    }
  }
#endif
