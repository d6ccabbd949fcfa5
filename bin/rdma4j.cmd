@echo off
rem The rdma4j command. Builds itself with Maven on first use; then only starts Java.
rem   JAVA_HOME         the JDK to use (default: the java on the PATH), 17 or later
rem   RDMA4J_JAVA_OPTS  more options for Java
rem   RDMA4J_REBUILD=1  builds again before it starts
setlocal EnableExtensions
for %%I in ("%~dp0..") do set "HOME_DIR=%%~fI"
set "TOOLS=%HOME_DIR%\rdma-tools\target"

set "JAVA=java"
if defined JAVA_HOME set "JAVA=%JAVA_HOME%\bin\java.exe"
if defined JAVA_HOME if not exist "%JAVA%" (
    echo rdma4j: JAVA_HOME is set, but there is no "%JAVA%" 1>&2
    exit /b 1
)
rem openjdk version "17.0.15" ...; the carets are for the cmd that reads this, the outer quotes for the one that it starts
set "VERSION="
for /f "tokens=2,3" %%U in ('^""%JAVA%" -version 2^>^&1^"') do if "%%U"=="version" if not defined VERSION set "VERSION=%%~V"
if not defined VERSION (
    echo rdma4j: no java found: install a JDK 17 or later, or set JAVA_HOME 1>&2
    exit /b 1
)
for /f "tokens=1 delims=.-" %%V in ("%VERSION%") do set "MAJOR=%%V"
if %MAJOR% LSS 17 (
    echo rdma4j: Java 17 or later is needed, but "%JAVA%" is %VERSION% 1>&2
    exit /b 1
)

if "%RDMA4J_REBUILD%"=="1" del /q "%TOOLS%\lib\classpath" 2>nul
if exist "%TOOLS%\lib\classpath" goto start
where mvn >nul 2>nul
if errorlevel 1 (
    echo rdma4j: not built yet, and there is no mvn to build it: install Maven 3.8 or later 1>&2
    exit /b 1
)
if not exist "%TOOLS%" mkdir "%TOOLS%"
echo rdma4j: building (once, about a minute; log in %TOOLS%\build.log) 1>&2
pushd "%HOME_DIR%"
call mvn -B -ntp -Dquick -Dmaven.test.skip=true -pl rdma-tools -am package >"%TOOLS%\build.log" 2>&1
set "RESULT=%ERRORLEVEL%"
popd
if not "%RESULT%"=="0" (
    findstr /b /c:"[ERROR]" "%TOOLS%\build.log" 1>&2
    echo rdma4j: the build failed; the whole log is in %TOOLS%\build.log 1>&2
    exit /b 1
)

:start
set "NATIVE="
if %MAJOR% GEQ 24 set "NATIVE=--enable-native-access=ALL-UNNAMED"
"%JAVA%" %NATIVE% -XX:+UseSerialGC %RDMA4J_JAVA_OPTS% -cp "%TOOLS%\classes;%TOOLS%\lib\*" io.rdma4j.tools.Rdma4j %*
exit /b %ERRORLEVEL%
