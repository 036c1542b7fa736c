// The drop-in name: what `import CoreData` brings on Apple's platforms. Foundation on Linux has stubs of these three
// classes, and a function that knows no managed class; importing them by name from here settles which one a client means.
@_exported import OpenCocoaFoundation
@_exported import class OpenCocoaFoundation.NSComparisonPredicate
@_exported import class OpenCocoaFoundation.NSCompoundPredicate
@_exported import class OpenCocoaFoundation.NSExpression
@_exported import func OpenCocoaFoundation.NSClassFromString
@_exported import Foundation
@_exported import OpenCoreData
