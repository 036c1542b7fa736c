@_exported import CocoaFoundation
@_exported import Foundation
@_exported import OpenCoreData
