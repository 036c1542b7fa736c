// The module of the same name as Apple's. Foundation on Linux also declares these three classes, as stubs, and an
// `NSClassFromString` that does not know managed classes. The imports by name make these names mean this package's
// declarations.
@_exported import OpenCocoaFoundation
@_exported import class OpenCocoaFoundation.NSComparisonPredicate
@_exported import class OpenCocoaFoundation.NSCompoundPredicate
@_exported import class OpenCocoaFoundation.NSExpression
@_exported import func OpenCocoaFoundation.NSClassFromString
@_exported import Foundation
@_exported import OpenCoreData
